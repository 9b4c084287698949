import { afterEach, beforeEach, expect, it } from 'vitest'
import { openReader, type Reader, stepsOf } from '../harness/docs/guide.ts'
import { requirePrograms } from '../harness/process/soft-hsm.ts'
import { read } from './docs.ts'

const guide = read('docs/guides/key-service.md')
// What the harness installs, and what runs on another machine, is not followed.
const local = guide.replaceAll(/^```sh (packages|elsewhere)\n[\s\S]*?^```$/gm, '')

let reader: Reader
beforeEach(async () => {
  requirePrograms()
  // What speaks to a key service takes its environment from the process, not from the command.
  reader = await openReader({ inProcesses: true })
})
afterEach(() => reader.close())

it('the guide to key services works when followed to its end', async () => {
  const steps = stepsOf(local)
  await reader.follow(steps)
  expect(steps.filter(({ kind }) => kind === 'serve')).toHaveLength(3)
})
