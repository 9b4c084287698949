import type { OutputChunk, RolldownOutput } from 'rolldown'
import { clientEntrances, isOf } from './entrances.ts'

/**
 * Throws when a file of the client imports anything but the other files and the peers of its entrance. A
 * file that several entrances share may import viem, which those that use it need anyway.
 */
export function requireNoDependency(output: RolldownOutput['output']): void {
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue
    const entrance = clientEntrances.find(({ file }) => chunk.fileName.split('.')[0] === file)
    const peers = entrance?.peers ?? ['viem']
    const foreign = importsOf(chunk).filter((it) => !it.startsWith('.') && !isOf(peers, it))
    if (foreign.length > 0) throw new Error(`${chunk.fileName} imports ${foreign.join(', ')}.`)
  }
}

/** Returns the modules that the text of a file names, since the bundler also lists unused ones. */
const importsOf = ({ code }: OutputChunk): readonly string[] =>
  [...code.matchAll(/(?:^import\b[^"']*|^export\b[^"']*\bfrom |\bimport\()["']([^"']+)["']/gm)].map(
    ([, module = '']) => module,
  )
