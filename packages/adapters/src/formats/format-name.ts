/** The formats of memories that can be taken in and given back. */
export const formatNames = [
  'json',
  'mcp-memory',
  'letta-af',
  'mem0',
  'langgraph-store',
  'markdown',
] as const

/** One of the formats. */
export type FormatName = (typeof formatNames)[number]
