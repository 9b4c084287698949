import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { sumOf } from '../packages/http/sum-of.ts'
import { buildInto, builtProgram } from '../packages/http/test/built-program.ts'

const packageFolder = join(import.meta.dirname, '../packages/http')
const dist = dirname(builtProgram)
/** The files that the program reads beside its folder, as in the published package. */
const beside = ['package.json', 'agents']
const madeOf = [
  ...['core', 'adapters', 'testkit'].map((name) => `packages/${name}/src`),
  ...['src', 'page', 'build.ts', 'build-page.ts', 'notices.ts', 'sum-of.ts']
    .concat('program-plugins.ts', 'build-commit.ts', beside)
    .map((name) => `packages/http/${name}`),
  'docs/guides',
  'pnpm-lock.yaml',
]

/**
 * Builds the program that tests start in processes, unless it was built from the same sources.
 * Vitest calls it before the tests of a project.
 */
export function setup(project?: Pick<TestProject, 'onTestsRerun'>): void {
  build()
  project?.onTestsRerun(build)
}

function build(): void {
  const stamp = join(dist, '../made-of')
  const sources = sumOf(madeOf)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return
  for (const name of beside) {
    cpSync(join(packageFolder, name), join(dist, '..', name), { recursive: true })
  }
  buildInto(dist)
  writeFileSync(stamp, sources)
}
