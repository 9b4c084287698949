import { diffTools } from './diff-tools.ts'
import { eraseTools } from './erase-tool.ts'
import { folderTools } from './folder-tools.ts'
import { heirReads, ownHeirTools } from './heir-tools.ts'
import { namesTools } from './names-tools.ts'
import { ownNamesTools } from './own-names-tools.ts'
import { ownTools } from './own-tools.ts'
import { marketTools, memoryTools } from './owner-tools.ts'
import { partTools } from './part-tools.ts'
import { accountReads, marketReads, tokenReads } from './reading-tools.ts'
import type { Reach, Tool } from './tool.ts'

/** Every tool of the MCP server; a test compares `docs/mcp.md` with it. */
export const tools: readonly Tool[] = [
  ...memoryTools,
  ...namesTools,
  ...diffTools,
  ...partTools,
  ...tokenReads,
  ...marketReads,
  ...marketTools,
  ...accountReads,
  ...heirReads,
  ...eraseTools,
  ...folderTools,
  ...ownTools,
  ...ownNamesTools,
  ...ownHeirTools,
]

const included: Readonly<Record<Reach, readonly Reach[]>> = {
  anyone: ['anyone'],
  owner: ['anyone', 'owner'],
  folder: ['anyone', 'owner', 'folder'],
  own: ['anyone', 'owner', 'own'],
}

/** Returns the tools of one or more reaches. */
export const toolsFor = (...reaches: readonly Reach[]): readonly Tool[] =>
  tools.filter((it) => reaches.some((reach) => included[reach].includes(it.reach)))
