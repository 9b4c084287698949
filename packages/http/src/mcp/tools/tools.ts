import type { ToolSet } from '../../api/tool-sets.ts'
import { smallTools } from '../small/small-tools.ts'
import { accountReads } from './account-reads.ts'
import { marketTools } from './act-tools.ts'
import { diffTools } from './diff-tools.ts'
import { folderTools } from './folder-tools.ts'
import { grantTools } from './grant-tools.ts'
import { heirReads, ownHeirTools } from './heir-tools.ts'
import { namesTools } from './names-tools.ts'
import { ownNamesTools } from './own-names-tools.ts'
import { ownTools } from './own-tools.ts'
import { eraseTools, memoryTools } from './owner-tools.ts'
import { partTools } from './part-tools.ts'
import { ratingTools } from './rating-tools.ts'
import { marketReads, tokenReads } from './reading-tools.ts'
import type { Reach, Tool } from './tool.ts'

/** The tools of each set. */
const toolsOf = {
  small: smallTools,
  memory: [
    ...memoryTools,
    ...namesTools,
    ...diffTools,
    ...partTools,
    ...tokenReads,
    ...eraseTools,
    ...grantTools,
    ...folderTools,
    ...ownNamesTools,
  ],
  market: [...marketReads, ...marketTools, ...ratingTools, ...accountReads, ...ownTools],
  heirs: [...heirReads, ...ownHeirTools],
} as const satisfies Readonly<Record<string, readonly Tool[]>>

/** Every tool of the MCP server; a test compares `docs/mcp.md` with it. */
export const tools: readonly Tool[] = Object.values(toolsOf).flat()

const included: Readonly<Record<Reach, readonly Reach[]>> = {
  anyone: ['anyone'],
  owner: ['anyone', 'owner'],
  folder: ['anyone', 'owner', 'folder'],
  own: ['anyone', 'owner', 'own'],
}

/** Returns the tools of one or more reaches. */
export const toolsFor = (...reaches: readonly Reach[]): readonly Tool[] => toolsIn(['all'], reaches)

/** Returns the tools of one or more sets and reaches. */
export function toolsIn(sets: readonly ToolSet[], reaches: readonly Reach[]): readonly Tool[] {
  const chosen = sets.includes('all')
    ? tools
    : sets.flatMap((set): readonly Tool[] => (set === 'all' ? tools : toolsOf[set]))
  return [...new Set(chosen)].filter((it) =>
    reaches.some((reach) => included[reach].includes(it.reach)),
  )
}
