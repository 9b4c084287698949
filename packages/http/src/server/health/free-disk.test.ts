import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { freeDisk, requireFreeDisk } from './free-disk.ts'

test('takes a disk with room, and refuses one with less than is needed', async () => {
  const free = await freeDisk(tmpdir())
  expect(free).toBeGreaterThan(0)
  await requireFreeDisk(tmpdir(), 1)
  const folder = tmpdir()
  await expect(requireFreeDisk(folder, 2 ** 80)).rejects.toMatchObject({
    code: 'folder/unusable',
    facts: {
      folder,
      problem: expect.stringMatching(/^it is on a disk with less than \d+ MiB free$/),
    },
  })
})
