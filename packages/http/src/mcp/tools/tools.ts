import { folderTools } from './folder-tools.ts'
import { marketTools, memoryTools } from './owner-tools.ts'
import { accountReads, marketReads, tokenReads } from './reading-tools.ts'
import type { Reach, Tool } from './tool.ts'

/** Every tool of the MCP server; a test compares `docs/mcp.md` with it. */
export const tools: readonly Tool[] = [
  ...memoryTools,
  ...tokenReads,
  ...marketReads,
  ...marketTools,
  ...accountReads,
  ...folderTools,
]

const included: Readonly<Record<Reach, readonly Reach[]>> = {
  anyone: ['anyone'],
  owner: ['anyone', 'owner'],
  folder: ['anyone', 'owner', 'folder'],
}

/** Returns the tools of a reach. */
export const toolsFor = (reach: Reach): readonly Tool[] =>
  tools.filter((it) => included[reach].includes(it.reach))
