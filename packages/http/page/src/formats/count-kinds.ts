const kinds: ReadonlySet<string> = new Set([
  ...['members of data', 'members', 'items', 'values', 'texts', 'texts with front matter'],
  ...['agents', 'messages', 'LLM settings', 'blocks', 'groups', 'files', 'sources', 'tools'],
  ...['MCP servers', 'skills', 'unknown members', 'conversations', 'projects', 'documents'],
  ...['memories', 'memories of projects', 'nodes', 'types of nodes', 'edges', 'episodes'],
  ...['entities', 'facts', 'facts that ended', 'memory blocks', 'other files', 'observations'],
  ...['relations', 'lines of other types', 'namespaces', 'threads', 'rows of checkpoints'],
  ...['rows of checkpoint_blobs', 'rows of writes', 'rows of checkpoint_writes', 'characters'],
  ...['lines of the biography', 'lore', 'example conversations', 'example posts', 'topics'],
  ...['adjectives', 'pieces of knowledge'],
])

/** Returns whether a text is a kind of things that an importer counts, in its words. */
export const isCountKind = (text: string): boolean => kinds.has(text)
