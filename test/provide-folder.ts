import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for what several test files share; it is removed after all tests. */
    readonly runFolder: string
  }
}

/** Makes the folder before the tests, and returns what removes it after them. */
export function setup(project: TestProject): () => void {
  // Not below `node_modules`, where Node runs no TypeScript.
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-tests-'))
  project.provide('runFolder', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
