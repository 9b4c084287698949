import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { readSources } from './mutation/compiler.ts'
import { equivalents } from './mutation/equivalent.ts'
import { lineOf, listFile, readList, tallyOf, type Verdict, writeList } from './mutation/list.ts'
import { ends, type Mutant, mutantsOf, original } from './mutation/mutants.ts'
import { testFiles } from './mutation/test-harness.ts'
import type { MutantResult } from './mutation/worker.ts'
import { runWorkerPool } from './mutation/worker-pool.ts'

// An even sample of this size shows within seconds that the tests still kill mutants.
const sampleSize = 20

// The mutants of a batch are tried in one process, which loads what the tests import only once.
const batchSize = 16

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    /** Runs only the mutants that the committed list reports as neither killed nor equivalent. */
    rest: { type: 'boolean', default: false },
    /** Runs only the mutants of sources whose path contains this. */
    only: { type: 'string', default: '' },
    workers: { type: 'string', default: '2' },
  },
})

const { sources, trees } = readSources()
const mutants = mutantsOf(sources, trees)
const previous = readList()
const verdicts = mutants.map((mutant): Verdict => {
  const isChosen = mutant.path.includes(options.only)
  const end = options.rest || !isChosen ? previous.get(mutant.name) : undefined
  return { mutant, end: end ?? ends.notJudged }
})

function chooseMutants(): readonly number[] {
  const open = [...verdicts.keys()].filter((index) => {
    const { end, mutant } = verdictAt(index)
    if (!mutant.path.includes(options.only)) return false
    return end === ends.notJudged || (end === ends.survived && !equivalents[mutant.name])
  })
  const step = options.quick ? Math.ceil(open.length / sampleSize) : 1
  return open.filter((_, position) => position % step === 0)
}

function verdictAt(index: number): Verdict {
  const verdict = verdicts[index]
  if (!verdict) throw new Error(`There is no mutant ${index}.`)
  return verdict
}

// The last time that each test file killed a mutant of a source: it often kills the next one, too.
const kills = new Map<string, number>()

/**
 * Orders test files: first the one that killed the mutant last time, then those of its neighbours, then the
 * one that is named as the source.
 */
function orderFor({ name, path }: Mutant): readonly string[] {
  const last = previous.get(name)?.split(' > ')[0]
  const stem = basename(path, '.sol').toLowerCase()
  const rank = (file: string) => {
    if (file === last) return Number.POSITIVE_INFINITY
    return kills.get(`${path} ${file}`) ?? (file.startsWith(stem) ? 0 : -1)
  }
  return testFiles.toSorted((a, b) => rank(b) - rank(a))
}

function recordResult({ index, end }: MutantResult): void {
  if (index === original) {
    requireSurvival(end)
    return
  }
  const { mutant } = verdictAt(index)
  const killer = `${mutant.path} ${end.split(' > ')[0]}`
  kills.set(killer, performance.now())
  verdicts[index] = { mutant, end }
  process.stdout.write(`${lineOf({ mutant, end })}\n`)
  // Written after each result, so that an interrupted run can be continued.
  if (!options.quick) writeFileSync(listFile, writeList(verdicts))
}

function requireSurvival(end: string): void {
  if (end !== ends.survived) throw new Error(`The tests fail without any fault: ${end}.`)
}

const began = performance.now()
const indices = chooseMutants()
const jobOf = (index: number) => ({ index, files: orderFor(verdictAt(index).mutant) })
const starts = indices.filter((_, position) => position % batchSize === 0)
const batches = starts.map((_, batch) => () => {
  return indices.slice(batch * batchSize, (batch + 1) * batchSize).map(jobOf)
})
const originalBatch = () => [{ index: original, files: testFiles }]
await runWorkerPool([originalBatch, ...batches], Number(options.workers), recordResult)
if (!options.quick) writeFileSync(listFile, writeList(verdicts))

const judged = verdicts.filter(({ end }) => end !== ends.notJudged)
const { killed, survived, equivalent, sameCode, notCompiled } = tallyOf(judged)
const seconds = Math.round((performance.now() - began) / 1000)
process.stdout.write(
  [
    `judged ${indices.length} of ${mutants.length} mutants in ${seconds} s`,
    `${equivalent} equivalent, ${sameCode} of the same code, ${notCompiled} not compiled`,
    `killed ${killed} of ${killed + survived}`,
    '',
  ].join('\n'),
)
if (survived > 0) process.exitCode = 1
