import { scanInSteps } from '@heirloom/adapters/internal/scan/scan-text'
import { serve } from '../worker-calls.ts'

/** Lets other calls of the worker have their turn. */
const pause = () => new Promise<void>((resolve) => setTimeout(resolve))

const handlers = {
  scan: async (document: Blob) => (await scanInSteps(await document.text(), pause)).findings,
}

/** The functions of the worker that scans documents. */
export type ScanHandlers = typeof handlers

serve(handlers)
