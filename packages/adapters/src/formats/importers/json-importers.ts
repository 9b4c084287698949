import type { FormatName } from '../format-name.ts'
import type { JsonImporter } from './json-importer.ts'
import { langgraphStore } from './langgraph-store.ts'
import { lettaAf } from './letta-af.ts'
import { mcpMemory } from './mcp-memory.ts'
import { mem0 } from './mem0.ts'
import { plainJson } from './plain-json.ts'

/** The importers of the JSON formats, in the order of detection. */
export const jsonImporters = {
  'letta-af': lettaAf,
  'mcp-memory': mcpMemory,
  mem0,
  'langgraph-store': langgraphStore,
  json: plainJson,
} as const satisfies Readonly<Record<Exclude<FormatName, 'markdown'>, JsonImporter>>

/** The name of a JSON format. */
export type JsonFormatName = keyof typeof jsonImporters

/** The names of the JSON formats, in the order of detection. */
export const jsonFormatNames = Object.keys(jsonImporters) as readonly JsonFormatName[]
