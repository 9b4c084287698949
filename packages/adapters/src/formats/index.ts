export { detectFormat } from './detect-format.ts'
export { exportMemory } from './export-memory.ts'
export { type FormatName, formatNames } from './format-name.ts'
export { importMemory } from './import-memory.ts'
export type {
  ImportedCount,
  ImportedMemory,
  ImportOptions,
  ImportReport,
  MetadataInput,
  Omission,
  SecretChoice,
} from './import-report.ts'
export { jsonProblem } from './importers/json-file.ts'
export { isUtf16, jsonFault, textFault } from './json-fault.ts'
export { nameProblem } from './name-problem.ts'
export { safeFiles } from './safe-files.ts'
export type { SecretFinding } from './secrets/secret.ts'
export { findSecrets, type RedactedText, redactSecrets } from './secrets/secrets.ts'
export { inputLimits, type SourceFile } from './source-file.ts'
