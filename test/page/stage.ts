import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type BuiltServer, startBuiltServer } from './built-server.ts'
import { leave, startChromium } from './chromium.ts'
import { takeScreenshot, type Visitor, visit } from './visitor.ts'

/** Chromium and a server with an empty folder, from before the tests of a file until after them. */
export type Stage = {
  readonly browser: () => Browser
  readonly server: Omit<BuiltServer, 'dispose'>
  /** Opens a visitor of the server, in whose browser no test leaves an error. */
  readonly enter: (options?: Omit<visit.Options, 'url'>) => Promise<Visitor>
}

/** Opens the stage of the tests of a file; a screenshot of one that fails has its name. */
export function openStage(name: string, environment?: Readonly<Record<string, string>>): Stage {
  let browser: Browser
  let server: BuiltServer
  const visitors: Visitor[] = []
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([startChromium(), startBuiltServer(environment)])
  })
  afterAll(async () => {
    await leave(browser)
    await server?.dispose()
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') {
      for (const [at, it] of visitors.entries()) await takeScreenshot(it, `failed-${name}-${at}`)
    }
    expect(visitors.flatMap((it) => it.browserErrors)).toEqual([])
  })
  return {
    browser: () => browser,
    server: {
      url: () => server.url(),
      start: () => server.start(),
      stop: () => server.stop(),
      get page() {
        return server.page
      },
    },
    enter: async (options) => {
      const visitor = await visit(browser, { url: server.url(), ...options })
      visitors.push(visitor)
      return visitor
    },
  }
}
