import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
// biome-ignore lint/correctness/noUndeclaredDependencies: the test runner is a tool of the workspace.
import { type CliOptions, createVitest, type TestModule } from 'vitest/node'
import { compileSolidity } from '../solidity.ts'
import type { Pair } from './compiler.ts'

const testFolder = join(import.meta.dirname, '../test')
const root = join(import.meta.dirname, '../../../..')

// Every change of the code changes its gas, so gas tests would kill every mutant.
const gasTests = /gas\.test\.ts$/

/** The test files that mutants are run against. */
export const testFiles: readonly string[] = readdirSync(testFolder)
  .filter((name) => name.endsWith('.test.ts') && !gasTests.test(name))
  .toSorted()

/** A harness that runs the contract tests on a compiled pair instead of the generated one. */
export type TestHarness = Awaited<ReturnType<typeof openTestHarness>>

/** Opens a harness. It writes only to a temporary folder of its own. */
export async function openTestHarness() {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-mutant-'))
  const pairFile = join(folder, 'pair.json')
  const vitest = await createVitest('test', settings, {
    plugins: [replaceContracts(pairFile, folder)],
  })
  const modules = new Map(
    (await vitest.globTestSpecifications()).map((module) => [basename(module.moduleId), module]),
  )
  const runTestFile = async (file: string): Promise<string | undefined> => {
    const module = modules.get(file)
    if (!module) throw new Error(`There is no test file ${file}.`)
    const { testModules } = await vitest.runTestSpecifications([module])
    // The runner also returns the results of files that failed on earlier mutants.
    const result = testModules.find(({ moduleId }) => moduleId === module.moduleId)
    return result ? failureIn(result) : 'did not run'
  }
  return {
    /** Runs test files on a pair, in order, and returns the first failing test. */
    firstFailure: async (pair: Pair, files: readonly string[]): Promise<string | undefined> => {
      writeFileSync(pairFile, JSON.stringify(pair))
      for (const file of files) {
        const failure = await runTestFile(file)
        if (failure !== undefined) return `${file} > ${failure}`
      }
      return undefined
    },
    close: async () => {
      await vitest.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const settings: CliOptions = {
  config: false,
  root,
  dir: testFolder,
  include: ['*.test.ts'],
  setupFiles: [join(root, 'test/setup.ts')],
  pool: 'forks',
  maxWorkers: 1,
  watch: false,
  bail: 1,
  // A cache on the disk would leak the replaced modules into ordinary runs.
  fsModuleCache: false,
  reporters: [{}],
  testTimeout: 60_000,
  hookTimeout: 60_000,
}

function failureIn(module: TestModule): string | undefined {
  if (module.state() !== 'failed') return undefined
  const [test] = module.children.allTests('failed')
  return test ? test.fullName : 'before the first of them'
}

// What the tests compile beside the pair; it does not change with a mutant of the pair.
const compiledOnce = [
  ['test/receivers/Receivers.sol'],
  ['test/dollars/AwkwardDollar.sol'],
  ['test/wallets/ContractWallet.sol'],
  ['test/wallets/ContractWallet.sol', 'test/wallets/Bombs.sol'],
]
const contractNames =
  'memoryRegistryAbi, memoryMarketplaceAbi, forwarderAbi, erc3009Abi, creation, runtimes'

/** Returns a plugin that loads the pair under test, and other contracts that are compiled only once. */
function replaceContracts(pairFile: string, folder: string) {
  const compiledFile = join(folder, 'compiled.json')
  const compiled = compiledOnce.map((paths) => [paths.join(), compileSolidity(paths)])
  writeFileSync(compiledFile, JSON.stringify(Object.fromEntries(compiled)))
  const head = `import { readFileSync as readStand } from 'node:fs'\n`
  const parsed = (file: string) => `JSON.parse(readStand(${JSON.stringify(file)}, 'utf8'))`
  const replaced = (names: string) => `${head}export const { ${names} } = ${parsed(pairFile)}`
  const changes: Readonly<Record<string, (code: string) => string>> = {
    'contracts.generated.ts': () => replaced(contractNames),
    'creation.generated.ts': () => replaced('memoryMarketplaceBytecode'),
    'solidity.ts': (code) =>
      `${head}${code.replace('export function compileSolidity(', 'function compileAnew(')}
export const compileSolidity = (paths) => ${parsed(compiledFile)}[paths.join()] ?? compileAnew(paths)`,
    // One counterexample is enough; shrinking it would only take time.
    'setup.ts': (code) =>
      `${code}\nfc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })`,
  }
  return {
    name: 'mutant',
    enforce: 'pre' as const,
    transform: (code: string, id: string) => changes[basename(id)]?.(code),
  }
}
