import { writeFileSync } from 'node:fs'
import { type FileSteps, fileSteps } from '@heirloom/adapters/internal/backup'
import { backUp } from '../../../packages/http/src/cli/operator/backup/back-up.ts'
import { restoreBackup } from '../../../packages/http/src/cli/operator/backup/restore-backup.ts'

// Makes or restores a backup, and kills its own process before a step, or in the middle of a write.
// A run that ends prints the first letter of each step.

const [act = '', place = '', at = ''] = process.argv.slice(2)

let left = Math.floor(Number(at))
const isHalf = !Number.isInteger(Number(at))
let steps = ''

function step(kind: string): void {
  if (left === 0) process.kill(process.pid, 'SIGKILL')
  left -= 1
  steps += kind
}

const counted: FileSteps = {
  write: async (path, bytes) => {
    if (left === 0 && isHalf) writeFileSync(path, bytes.subarray(0, bytes.length / 2))
    step('w')
    await fileSteps.write(path, bytes)
  },
  rename: async (from, to) => {
    step('r')
    await fileSteps.rename(from, to)
  },
  remove: async (path) => {
    step('d')
    await fileSteps.remove(path)
  },
}

if (act === 'backup') await backUp(process.env, { to: place, withBucket: false, steps: counted })
else {
  const options = { from: place, into: undefined, verify: false, asWriter: false, isTrial: false }
  await restoreBackup(process.env, { ...options, steps: counted })
}
process.stdout.write(steps)
