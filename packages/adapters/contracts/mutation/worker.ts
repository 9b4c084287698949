import { readFileSync } from 'node:fs'
import { openBench } from './test-harness.ts'
import { compilePair, type Pair, readSources } from './compiler.ts'
import { ends, mutantsOf, original } from './mutants.ts'

/** What a worker is asked: which mutant, and which test files in which order. */
export type Question = { readonly index: number; readonly files: readonly string[] }

/** How a mutant ended, as `ends` puts it. */
export type Answer = { readonly index: number; readonly end: string }

const { sources, trees } = readSources()

const mutants = mutantsOf(sources, trees)
const bench = await openBench()
const sound = soundPair()

/** The untouched sources compile to the committed code, or a mutant would differ by more than its fault. */
function soundPair(): Pair {
  const pair = compilePair(sources)
  if (!pair) throw new Error('The contracts do not compile.')
  const generated = new URL('../../src/ledger/contracts.generated.ts', import.meta.url)
  if (!readFileSync(generated, 'utf8').includes(pair.memoryMarketplaceBytecode)) {
    throw new Error('contracts.generated.ts is not what the mutation run compiles.')
  }
  return pair
}

async function judge({ index, files }: Question): Promise<string> {
  if (index === original) return (await bench.firstFailure(sound, files)) ?? ends.survived
  const mutant = mutants[index]
  if (!mutant) throw new Error(`There is no mutant ${index}.`)
  const pair = compilePair({ ...sources, [mutant.path]: mutant.text })
  if (!pair) return ends.notCompiled
  if (pair.memoryMarketplaceBytecode === sound.memoryMarketplaceBytecode) return ends.sameCode
  return (await bench.firstFailure(pair, files)) ?? ends.survived
}

process.on('message', async (question: Question) => {
  const end = await judge(question)
  // Nobody waits any more when the run was cut short.
  if (process.connected) process.send?.({ index: question.index, end } satisfies Answer)
})
process.on('disconnect', async () => {
  await bench.close()
  process.exit()
})
process.send?.('ready')
