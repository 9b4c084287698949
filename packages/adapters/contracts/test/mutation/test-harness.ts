import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type CliOptions, createVitest, type TestModule } from 'vitest/node'
import { longestWait } from '../../../../../test/tier.ts'
import { compileSolidity } from '../../solidity.ts'
import type { Pair } from './compiler.ts'

const testFolder = join(import.meta.dirname, '..')
const root = join(import.meta.dirname, '../../../../..')

// Every change of the code changes its gas, so gas tests would kill every mutant.
const gasTests = /gas\.test\.ts$/

/** The test files that mutants are run against. */
export const testFiles: readonly string[] = readdirSync(testFolder)
  .filter((name) => name.endsWith('.test.ts') && !gasTests.test(name))
  .toSorted()

/** A pair under test, the test files to run on it in order, and the names of tests to leave out. */
export type Trial = {
  readonly pair: Pair
  readonly files: readonly string[]
  readonly leftOut?: readonly string[]
}

/** A harness that runs the contract tests on compiled pairs instead of the generated one. */
export type TestHarness = Awaited<ReturnType<typeof openTestHarness>>

/** Opens a harness. It writes only to a temporary folder of its own. */
export async function openTestHarness() {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-mutant-'))
  const vitest = await createVitest('test', settings, { plugins: [replaceContracts(folder)] })
  const project = vitest.getRootProject()
  let count = 0
  const write = ({ pair, files, leftOut = [] }: Trial): readonly string[] => {
    count += 1
    writeFileSync(join(folder, `pair-${count}.json`), JSON.stringify({ ...pair, leftOut }))
    return files.map((file) => `${join(testFolder, file)}?trial=${count}`)
  }
  return {
    /** Tries each of some pairs until its first failing test, all in one process; returns these tests. */
    firstFailures: async (trials: readonly Trial[]): Promise<readonly (string | undefined)[]> => {
      const tried = trials.map(write)
      const specifications = tried.flat().map((id) => project.createSpecification(id))
      const { testModules } = await vitest.runTestSpecifications(specifications)
      const modules = new Map(testModules.map((module) => [module.moduleId, module]))
      return tried.map((ids) => firstFailure(ids, modules))
    },
    close: async () => {
      await vitest.close()
      rmSync(folder, { recursive: true })
    },
  }
}

class GivenOrder {
  sort<Files>(files: Files): Files {
    return files
  }
  shard<Files>(files: Files): Files {
    return files
  }
}

const settings: CliOptions = {
  config: false,
  root,
  dir: testFolder,
  include: ['*.test.ts'],
  setupFiles: [join(root, 'test/setup.ts')],
  pool: 'forks',
  // One process runs all files, in the order that they are given in.
  isolate: false,
  maxWorkers: 1,
  sequence: { sequencer: GivenOrder },
  execArgv: ['--import', new URL('without-size-limit.ts', import.meta.url).href],
  watch: false,
  // A cache on the disk would leak the replaced modules into ordinary runs.
  fsModuleCache: false,
  reporters: [{}],
  // A fault that does not end runs out of gas: a machine that is slow must not seem one.
  testTimeout: longestWait,
  hookTimeout: longestWait,
  // The process has nothing to save when it ends.
  teardownTimeout: 1_000,
}

function firstFailure(
  ids: readonly string[],
  modules: ReadonlyMap<string, TestModule>,
): string | undefined {
  const failed = ids.find((id) => modules.get(id)?.state() !== 'passed')
  if (failed === undefined) return undefined
  const module = modules.get(failed)
  const [file] = basename(failed).split('?')
  return `${file} > ${module ? failedTest(module) : 'did not run'}`
}

function failedTest(module: TestModule): string {
  const [test] = module.children.allTests('failed')
  return test ? test.fullName : 'before the first of them'
}

// What the tests compile beside the pair; it does not change with a mutant of the pair.
const compiledOnce = [
  ['test/receivers/Receivers.sol'],
  ['test/dollars/AwkwardDollar.sol'],
  ['test/dollars/NotingDollar.sol'],
  ['test/wallets/ContractWallet.sol'],
  ['test/wallets/ContractWallet.sol', 'test/wallets/Bombs.sol'],
]

// What the contract tests import of the generated files.
const names =
  'memoryRegistryAbi, memoryMarketplaceAbi, forwarderAbi, erc3009Abi, creation, memoryMarketplaceBytecode'

/** Returns a plugin that loads the pair under test, and other contracts that are compiled only once. */
function replaceContracts(folder: string) {
  const compiledFile = join(folder, 'compiled.json')
  const compiled = compiledOnce.map((paths) => [paths.join(), compileSolidity(paths)])
  writeFileSync(compiledFile, JSON.stringify(Object.fromEntries(compiled)))
  const head = `import { readFileSync as readStand } from 'node:fs'\n`
  const changes: Readonly<Record<string, (code: string) => string>> = {
    'contracts.generated.ts': () => `${head}const read = (trial) =>
  JSON.parse(readStand(${JSON.stringify(folder)} + '/pair-' + trial + '.json', 'utf8'))
export let { leftOut, ${names} } = read(1)
// One object, because other modules hold it.
export const { runtimes } = read(1)
let trial
const failed = new Set()
export const hasFailed = () => failed.has(trial)
export const fail = () => failed.add(trial)
export const begin = (next) => {
  trial = next
  if (hasFailed()) throw new Error('An earlier file failed.')
  const pair = read(next)
  ;({ leftOut, ${names} } = pair)
  Object.assign(runtimes, pair.runtimes)
}`,
    'creation.generated.ts': () =>
      `export { memoryMarketplaceBytecode } from '../../contracts.generated.ts'`,
    'solidity.ts': (code) =>
      `${head}${code.replace('export function compileSolidity(', 'function compileAnew(')}
const compiledOnce = JSON.parse(readStand(${JSON.stringify(compiledFile)}, 'utf8'))
export const compileSolidity = (paths) => compiledOnce[paths.join()] ?? compileAnew(paths)`,
    // One counterexample is enough; shrinking it would only take time.
    'setup.ts': (code) => `import { afterEach, beforeEach } from 'vitest'
import { fail, hasFailed, leftOut } from '../../packages/adapters/src/ledger/contracts.generated.ts'
${code}
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })
beforeEach(({ skip, task }) => skip(hasFailed() || leftOut.includes(task.name)))
afterEach(({ task }) => {
  if (task.result?.state === 'fail') fail()
})`,
  }
  return {
    name: 'mutant',
    enforce: 'pre' as const,
    transform: (code: string, id: string) => {
      const [path = '', trial] = id.split('?trial=')
      if (trial === undefined) return changes[basename(path)]?.(code)
      return `import { begin } from '../../../src/ledger/contracts.generated.ts'
begin(${trial})
${code}`
    },
  }
}
