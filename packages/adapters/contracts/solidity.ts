import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'
import { type Compiled, code, packageVersion, runSolc, type SolcMessage, settings } from './solc.ts'

/** An immutable value of a contract, and one of its positions in the runtime code, in bytes. */
export type Immutable = { readonly name: string; readonly start: number; readonly length: number }

/** The ABI and code of a compiled contract. */
export type Artifact = {
  readonly abi: Abi
  readonly bytecode: Hex
  readonly runtime: Hex
  readonly immutables: readonly Immutable[]
}

/**
 * Compiles Solidity files of this folder; returns their contracts by name, throws on a warning about
 * them. Packages may cause warnings of a compiler that is younger than they are.
 */
export function compileSolidity(paths: readonly string[]): Record<string, Artifact> {
  const request = { compiler: packageVersion, settings, outputs, paths }
  return compileOnce(request, readSource, (find) => compileWith(paths, find))
}

const outputs = { '*': { '*': code, '': ['ast'] } }

function compileWith(
  paths: readonly string[],
  find: (path: string) => string,
): Record<string, Artifact> {
  const texts = Object.fromEntries(paths.map((path) => [path, find(path)]))
  const output = runSolc(texts, outputs, { find })
  const { errors: messages = [], contracts = {}, sources = {} } = output
  const errors = messages.filter((it) => !isForeignWarning(it))
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  const names = immutableNames(Object.values(sources).map(({ ast }) => ast))
  const entries = Object.values(contracts).flatMap((file) => Object.entries(file))
  return Object.fromEntries(entries.map(([name, compiled]) => [name, artifactOf(compiled, names)]))
}

type Declaration = {
  readonly mutability?: unknown
  readonly id?: unknown
  readonly name?: unknown
}

/** Returns the names of the immutable values by the identifiers that the compiler gave them. */
export function immutableNames(trees: readonly unknown[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const node: Declaration = value
    if (node.mutability === 'immutable') names.set(String(node.id), String(node.name))
    for (const child of Object.values(node)) visit(child)
  }
  for (const tree of trees) visit(tree)
  return names
}

/** Returns the immutable values of compiled runtime code, in the order of their positions. */
export function immutablesOf(
  { evm }: Compiled,
  names: ReadonlyMap<string, string>,
): readonly Immutable[] {
  const references = Object.entries(evm.deployedBytecode.immutableReferences ?? {})
  return references
    .flatMap(([id, ranges]) => ranges.map((range) => ({ name: names.get(id) ?? id, ...range })))
    .toSorted((a, b) => a.start - b.start)
}

/** Returns the standard-JSON input for Solidity files of this folder, with all their imports. */
export function standardInput(paths: readonly string[]) {
  const texts = new Map(paths.map((path) => [path, readSource(path)]))
  // The compiler resolves the imports; with an empty selection it is fast.
  const find = (path: string) => {
    texts.set(path, readSource(path))
    return readSource(path)
  }
  runSolc(textsOf(paths), {}, { find })
  const sorted = [...texts].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return {
    language: 'Solidity',
    sources: Object.fromEntries(sorted.map(([path, content]) => [path, { content }])),
    settings: { ...settings, outputSelection: fullSelection },
  }
}

const fullSelection = { '*': { '*': code } }

const textsOf = (paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [path, readSource(path)]))

const require = createRequire(import.meta.url)

const isInPackage = (path: string) => /^(@|solady\/)/.test(path)

const isForeignWarning = ({ severity, sourceLocation }: SolcMessage) =>
  severity !== 'error' && sourceLocation !== undefined && isInPackage(sourceLocation.file)

/** Reads a Solidity file of this folder, or of a package. */
export function readSource(path: string): string {
  const file = isInPackage(path) ? require.resolve(path) : join(import.meta.dirname, path)
  return readFileSync(file, 'utf8')
}

/** Returns the ABI and code of a compiled contract. */
export function artifactOf(compiled: Compiled, names: ReadonlyMap<string, string>): Artifact {
  const { bytecode, deployedBytecode } = compiled.evm
  return {
    abi: compiled.abi,
    bytecode: `0x${bytecode.object}`,
    runtime: `0x${deployedBytecode.object}`,
    immutables: immutablesOf(compiled, names),
  }
}

/** Sources that a compilation read, by path: the SHA-256 of each. */
type Sums = Readonly<Record<string, string>>

type Entry<Output> = { readonly sums: Sums; readonly output: Output }

const folder = join(import.meta.dirname, '../node_modules/.cache/solidity')

/**
 * Returns what `compile` returns, from a file if the same request read the same sources before: the
 * compiler takes seconds, and many test files need the same contracts.
 *
 * @param request All that the output depends on, except for the sources.
 * @param read Returns the source at a path.
 */
function compileOnce<Output>(
  request: unknown,
  read: (path: string) => string,
  compile: (find: (path: string) => string) => Output,
): Output {
  const path = join(folder, `${sumOf(JSON.stringify(request))}.json`)
  const known = existsSync(path) ? entryIn<Output>(path) : undefined
  if (known !== undefined && isCurrent(known.sums, read)) return known.output
  const sums: Record<string, string> = {}
  const output = compile((source) => {
    const text = read(source)
    sums[source] = sumOf(text)
    return text
  })
  mkdirSync(folder, { recursive: true })
  // Another process may read it at the same time.
  writeFileSync(`${path}.${process.pid}`, JSON.stringify({ sums, output }))
  renameSync(`${path}.${process.pid}`, path)
  return output
}

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const entryIn = <Output>(path: string): Entry<Output> => JSON.parse(readFileSync(path, 'utf8'))

const isCurrent = (sums: Sums, read: (path: string) => string): boolean =>
  Object.entries(sums).every(([source, sum]) => isSame(source, sum, read))

function isSame(source: string, sum: string, read: (path: string) => string): boolean {
  try {
    return sumOf(read(source)) === sum
  } catch {
    // The file is gone, so the compiler says what it misses.
    return false
  }
}
