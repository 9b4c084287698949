import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Digest, digest } from '@heirloom/core'
import { end, firstLine } from '../process/child-process.ts'

const program = join(import.meta.dirname, 'save-until-killed-program.ts')

/** Returns the path of the notes of a process on what it minted. */
export const mintedFile = (folder: string): string => join(folder, 'minted')

/** Returns the roots that processes minted in a folder. */
export function readMinted(folder: string): readonly Digest[] {
  const path = mintedFile(folder)
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8').split('\n').filter(Boolean).map(digest)
}

/** Lets a process save versions in a folder, and kills it some time after its first one. */
export async function saveUntilKilled(folder: string, milliseconds: number): Promise<void> {
  const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  await firstLine(child.stdout)
  await setTimeout(milliseconds)
  await end(child, 'SIGKILL')
}
