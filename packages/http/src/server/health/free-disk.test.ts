import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { freeDisk, requireFreeDisk } from '../folder-place.ts'

test('accepts a disk with enough free space, and refuses one with less', async () => {
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
