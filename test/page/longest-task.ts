import type { Browser, Page } from 'playwright-core'
import { yardstick } from '../harness/yardstick.ts'

type TraceEvent = {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** The processor time of a task, in microseconds. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/**
 * Returns the processor time of the longest task of a page while something happens, in
 * milliseconds. The tasks are those that browsers report as long tasks; their time on the clock
 * would be that of a busy machine too.
 */
export async function longestTask(
  browser: Browser,
  page: Page,
  act: () => Promise<void>,
): Promise<number> {
  const { traceEvents } = await trace(browser, page, act)
  const isMain = ({ name, args }: TraceEvent) =>
    name === 'thread_name' && args.name === 'CrRendererMain'
  const threads = new Set(traceEvents.filter(isMain).map(({ pid, tid }) => `${pid}/${tid}`))
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => /RunTask$/.test(name) && threads.has(`${pid}/${tid}`),
  )
  if (tasks.length === 0) throw new Error('The trace has no task of the page.')
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}

type Trace = { readonly traceEvents: readonly TraceEvent[] }

/** Traces a page while something happens; a browser has one trace at a time, so it ends in any case. */
async function trace(browser: Browser, page: Page, act: () => Promise<void>): Promise<Trace> {
  await browser.startTracing(page, { categories: ['toplevel'] })
  const failure = await act().then(
    () => undefined,
    (reason: unknown) => ({ reason }),
  )
  const written = await browser.stopTracing()
  if (failure !== undefined) throw failure.reason
  return JSON.parse(written.toString()) as Trace
}

/**
 * Returns the longest response that is a good one, in milliseconds: 200 (web.dev, Interaction to
 * Next Paint), and more on a machine that is slower than that of the yardstick.
 */
export const goodResponse = async (): Promise<number> => Math.max(200, 20 * (await yardstick()))
