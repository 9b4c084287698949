import { forge } from './forge.ts'

/** The number of items of one kind, and the number that the tests reached. */
export type Coverage = { readonly hit: number; readonly found: number }

/** The counted kinds, in the order of `forge coverage`. */
export const kinds = ['lines', 'statements', 'branches', 'functions'] as const

/** The coverage of one source file. */
export type FileCoverage = { readonly file: string } & Readonly<
  Record<(typeof kinds)[number], Coverage>
>

/** Measures the coverage of `contracts/src` by the forge tests; throws when a test fails. */
export function measureCoverage(): readonly FileCoverage[] {
  const { status, stdout, stderr } = forge(['coverage', '--report', 'summary'], {
    FOUNDRY_OUT: '../node_modules/.cache/forge-coverage/out',
    FOUNDRY_CACHE_PATH: '../node_modules/.cache/forge-coverage',
    FOUNDRY_PROFILE: 'coverage',
  })
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  return readSummary(stdout)
}

/** Parses the rows of `src` in the table that forge prints. */
export function readSummary(text: string): readonly FileCoverage[] {
  return text.split('\n').flatMap((line) => {
    const [, file = '', ...cells] = line.split('|').map((cell) => cell.trim())
    if (!file.startsWith('src/')) return []
    const [lines, statements, branches, functions] = cells.slice(0, kinds.length).map(coverageOf)
    if (!lines || !statements || !branches || !functions) return []
    return [{ file, lines, statements, branches, functions }]
  })
}

function coverageOf(cell: string): Coverage {
  const [, hit, found] = /\((\d+)\/(\d+)\)/.exec(cell) ?? []
  if (hit === undefined || found === undefined) throw new Error(`"${cell}" is not a coverage.`)
  return { hit: Number(hit), found: Number(found) }
}

/** Returns the sum over files. */
export function total(files: readonly FileCoverage[]): FileCoverage {
  const sum = (kind: (typeof kinds)[number]) => ({
    hit: files.reduce((all, file) => all + file[kind].hit, 0),
    found: files.reduce((all, file) => all + file[kind].found, 0),
  })
  return {
    file: 'all',
    lines: sum('lines'),
    statements: sum('statements'),
    branches: sum('branches'),
    functions: sum('functions'),
  }
}

function format(coverage: FileCoverage): string {
  const cells = kinds.map((kind) => `${kind} ${percent(coverage[kind])}`)
  return `${coverage.file}: ${cells.join(', ')}\n`
}

function percent({ hit, found }: Coverage): string {
  return found === 0 ? 'none' : `${((100 * hit) / found).toFixed(2)} % (${hit}/${found})`
}

if (import.meta.main) {
  const files = measureCoverage()
  const all = total(files)
  for (const coverage of [...files, all]) process.stdout.write(format(coverage))
  const complete = (['lines', 'branches'] as const).every(
    (kind) => all[kind].found > 0 && all[kind].hit === all[kind].found,
  )
  if (!complete) process.exitCode = 1
}
