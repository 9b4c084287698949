import type { FormatName } from '@heirloom/adapters/formats'

const names: Readonly<Record<string, string>> = {
  json: 'JSON',
  'mcp-memory': 'MCP memory server',
  'letta-af': 'Letta agent file',
  mem0: 'Mem0',
  'langgraph-store': 'LangGraph store',
  markdown: 'Markdown files',
}

/** Returns the name of a format for people; a newer one keeps its own. */
export const describeFormat = (format: FormatName): string => names[format] ?? format
