/** The formats that can be imported and exported. */
export const formatNames = [
  'json',
  'mcp-memory',
  'letta-af',
  'mem0',
  'langgraph-store',
  'markdown',
] as const

/** The name of a format. */
export type FormatName = (typeof formatNames)[number]
