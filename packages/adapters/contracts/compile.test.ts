import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  creationFile,
  generate,
  generateCreation,
  generatedFile,
  generateStandardInput,
  generateTestDollar,
  standardInputFile,
  testDollarFile,
} from './compile.ts'

test('the committed files match the Solidity', () => {
  expect(generate() === readFileSync(generatedFile, 'utf8')).toBe(true)
  expect(generateStandardInput() === readFileSync(standardInputFile, 'utf8')).toBe(true)
  expect(generateCreation() === readFileSync(creationFile, 'utf8')).toBe(true)
  expect(generateTestDollar() === readFileSync(testDollarFile, 'utf8')).toBe(true)
})
