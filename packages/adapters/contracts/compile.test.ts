import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generate, generatedFile } from './compile.ts'

test('the committed file is what the Solidity compiles to', () => {
  expect(generate() === readFileSync(generatedFile, 'utf8')).toBe(true)
})
