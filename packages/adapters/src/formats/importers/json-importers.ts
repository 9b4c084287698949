import type { FormatName } from '../format-name.ts'
import type { JsonFormat } from './json-importer.ts'
import { langgraphStore } from './langgraph-store.ts'
import { lettaAf } from './letta-af.ts'
import { mcpMemory } from './mcp-memory.ts'
import { mem0 } from './mem0.ts'
import { plainJson } from './plain-json.ts'

/** The formats that are a file of JSON, in the order in which they are looked for. */
export const jsonFormats = {
  'letta-af': lettaAf,
  'mcp-memory': mcpMemory,
  mem0,
  'langgraph-store': langgraphStore,
  json: plainJson,
} as const satisfies Readonly<Record<Exclude<FormatName, 'markdown'>, JsonFormat>>

/** The name of a format that is a file of JSON. */
export type JsonFormatName = keyof typeof jsonFormats

/** Their names, in that order. */
export const jsonFormatNames = Object.keys(jsonFormats) as readonly JsonFormatName[]
