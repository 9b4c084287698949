import type { OutputChunk, RolldownOutput } from 'rolldown'

/** Throws when a file of the client imports anything but viem and the other files. */
export function requireNoDependency(output: RolldownOutput['output']): void {
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue
    const foreign = importsOf(chunk).filter((it) => !/^(\.|viem$|viem\/)/.test(it))
    if (foreign.length > 0) throw new Error(`${chunk.fileName} imports ${foreign.join(', ')}.`)
  }
}

/** Returns the modules that the text of a file names, since the bundler also lists unused ones. */
const importsOf = ({ code }: OutputChunk): readonly string[] =>
  [...code.matchAll(/(?:^import\b[^"']*|^export\b[^"']*\bfrom |\bimport\()["']([^"']+)["']/gm)].map(
    ([, module = '']) => module,
  )
