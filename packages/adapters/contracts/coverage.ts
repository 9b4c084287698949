import { forge } from './forge.ts'

/** How much of something the tests reached. */
export type Reach = { readonly hit: number; readonly found: number }

/** What is counted, in the order of `forge coverage`. */
export const kinds = ['lines', 'statements', 'branches', 'functions'] as const

/** The reach of the tests into one source file. */
export type FileReach = { readonly file: string } & Readonly<Record<(typeof kinds)[number], Reach>>

/** Measures how much of `contracts/src` the forge tests reach; a failing test is a failure. */
export function measureCoverage(): readonly FileReach[] {
  const { status, stdout, stderr } = forge(['coverage', '--report', 'summary'], {
    FOUNDRY_OUT: '../node_modules/.cache/forge-coverage/out',
    FOUNDRY_CACHE_PATH: '../node_modules/.cache/forge-coverage',
    FOUNDRY_PROFILE: 'coverage',
  })
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  return readSummary(stdout)
}

/** Reads the rows of `src` in the table that forge prints. */
export function readSummary(text: string): readonly FileReach[] {
  return text.split('\n').flatMap((line) => {
    const [, file = '', ...cells] = line.split('|').map((cell) => cell.trim())
    if (!file.startsWith('src/')) return []
    const [lines, statements, branches, functions] = cells.slice(0, kinds.length).map(reachOf)
    if (!lines || !statements || !branches || !functions) return []
    return [{ file, lines, statements, branches, functions }]
  })
}

function reachOf(cell: string): Reach {
  const [, hit, found] = /\((\d+)\/(\d+)\)/.exec(cell) ?? []
  if (hit === undefined || found === undefined) throw new Error(`No coverage is "${cell}".`)
  return { hit: Number(hit), found: Number(found) }
}

/** Adds up files. */
export function total(files: readonly FileReach[]): FileReach {
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

function show(reach: FileReach): string {
  const cells = kinds.map((kind) => `${kind} ${percent(reach[kind])}`)
  return `${reach.file}: ${cells.join(', ')}\n`
}

function percent({ hit, found }: Reach): string {
  return found === 0 ? 'none' : `${((100 * hit) / found).toFixed(2)} % (${hit}/${found})`
}

if (import.meta.main) {
  const files = measureCoverage()
  const all = total(files)
  for (const reach of [...files, all]) process.stdout.write(show(reach))
  const complete = (['lines', 'branches'] as const).every(
    (kind) => all[kind].found > 0 && all[kind].hit === all[kind].found,
  )
  if (!complete) process.exitCode = 1
}
