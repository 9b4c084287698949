import type { FormatName, folderFormats } from '../format-name.ts'
import { chatgpt } from './chatgpt.ts'
import { claude } from './claude.ts'
import { cognee } from './cognee.ts'
import { eliza } from './eliza.ts'
import { graphiti } from './graphiti.ts'
import type { JsonImporter } from './importer.ts'
import { langgraphCheckpoints } from './langgraph-checkpoints.ts'
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
  'langgraph-checkpoints': langgraphCheckpoints,
  chatgpt,
  claude,
  eliza,
  graphiti,
  cognee,
  json: plainJson,
} as const satisfies Readonly<
  Record<Exclude<FormatName, (typeof folderFormats)[number]>, JsonImporter>
>

/** The name of a JSON format. */
export type JsonFormatName = keyof typeof jsonImporters

/** The names of the JSON formats, in the order of detection. */
export const jsonFormatNames = Object.keys(jsonImporters) as readonly JsonFormatName[]
