import type { SmallTool } from '../tools/tool.ts'
import { buyTool } from './buy-tool.ts'
import { insideTools } from './inside-tools.ts'
import { marketTools } from './market-tools.ts'
import { memoriesTool } from './memories-tool.ts'
import { recallTool } from './recall-tool.ts'
import { saveTool } from './save-tool.ts'

/** The tools for a small context, which a session has by default. */
export const smallTools: readonly SmallTool[] = [
  memoriesTool,
  recallTool,
  ...insideTools,
  saveTool,
  ...marketTools,
  buyTool,
]
