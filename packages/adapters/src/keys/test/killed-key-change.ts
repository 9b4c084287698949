import { writeFileSync } from 'node:fs'
import { commitKeys, withDestroyed } from '../change-keys.ts'
import { fileKeyStore } from '../file-key-store.ts'
import { type FileSteps, fileSteps } from '../key-file.ts'
import { loadKeys } from '../load-keys.ts'
import { localMasterKey } from '../local-master-key.ts'

// Rotates the master key of a folder, or destroys a sealing key, and kills its own process before a
// step, or in the middle of a write.

const [folder = '', act = '', at = ''] = process.argv.slice(2)

let left = Math.floor(Number(at))
const isHalf = !Number.isInteger(Number(at))

const die = () => process.kill(process.pid, 'SIGKILL')

const steps: FileSteps = {
  write: (path, text) => {
    if (left === 0 && isHalf) writeFileSync(path, text.slice(0, text.length / 2))
    step()
    fileSteps.write(path, text)
  },
  sync: (path) => {
    step()
    fileSteps.sync(path)
  },
  rename: (from, to) => {
    step()
    fileSteps.rename(from, to)
  },
}

function step(): void {
  if (left === 0) die()
  left -= 1
}

const [old, next] = [1, 2].map((it) => localMasterKey(Buffer.alloc(32, it)))
if (old === undefined || next === undefined) throw new Error('There are two master keys.')
const masters = act === 'rotate' ? ([next, old] as const) : ([old] as const)
const source = { store: fileKeyStore({ folder, steps }), masters }
const loaded = await loadKeys(source)
if (loaded === undefined) throw new Error('The folder has no keys.')
const [first] = loaded.records
const doomed = first === undefined ? [] : [first.facts.id]
const { records } = loaded
const after = act === 'rotate' ? records : withDestroyed(records, doomed, { now: 1 })
await commitKeys(source, loaded, after)
process.stdout.write('done')
