import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

// Makes a file whole, and kills its own process at a step.

const [path = '', at = ''] = process.argv.slice(2)

const die = () => process.kill(process.pid, 'SIGKILL')
const { fsyncSync, rmSync } = fs
fs.fsyncSync = (file) => {
  if (at === 'closed') die()
  fsyncSync(file)
}
fs.rmSync = (name, options) => {
  if (at === 'linked') die()
  rmSync(name, options)
}
syncBuiltinESMExports()

const { startWholeFile } = await import('../whole-file.ts')
const whole = startWholeFile(path)
whole?.file.exec('CREATE TABLE thing (value INTEGER); INSERT INTO thing VALUES (7)')
if (at === 'filled') die()
whole?.finish()
