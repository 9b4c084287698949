import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generate, generatedFile, generateStandardInput, standardInputFile } from './compile.ts'

test('the committed files match the Solidity', () => {
  expect(generate() === readFileSync(generatedFile, 'utf8')).toBe(true)
  expect(generateStandardInput() === readFileSync(standardInputFile, 'utf8')).toBe(true)
})
