/** The formats that can be imported and exported. */
export const formatNames = [
  'json',
  'mcp-memory',
  'letta-af',
  'mem0',
  'langgraph-store',
  'langgraph-checkpoints',
  'chatgpt',
  'claude',
  'eliza',
  'graphiti',
  'cognee',
  'cogx',
  'llama-index',
  'markdown',
] as const

/** The name of a format. */
export type FormatName = (typeof formatNames)[number]

/** The formats of a folder of files; every other format is one JSON file. */
export const folderFormats = [
  'cogx',
  'llama-index',
  'markdown',
] as const satisfies readonly FormatName[]
