import { folderTools } from './folder-tools.ts'
import { marketTools, memoryTools } from './owner-tools.ts'
import { accountReads, marketReads, tokenReads } from './reading-tools.ts'
import type { Reach, Tool } from './tool.ts'

/** Every tool of the MCP server; `docs/mcp.md` is compared with it by a test. */
export const tools: readonly Tool[] = [
  ...memoryTools,
  ...tokenReads,
  ...marketReads,
  ...marketTools,
  ...accountReads,
  ...folderTools,
]

const offered: Readonly<Record<Reach, readonly Reach[]>> = {
  anyone: ['anyone'],
  owner: ['anyone', 'owner'],
  folder: ['anyone', 'owner', 'folder'],
}

/** Returns the tools that are offered to those of a reach. */
export const toolsFor = (reach: Reach): readonly Tool[] =>
  tools.filter((it) => offered[reach].includes(it.reach))
