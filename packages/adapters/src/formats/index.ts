export { detectFormat } from './detect-format.ts'
export { exportMemory } from './export-memory.ts'
export { type FormatName, formatNames } from './format-name.ts'
export { importMemory } from './import-memory.ts'
export type {
  Imported,
  ImportOptions,
  ImportReport,
  Left,
  MetadataInput,
  SecretChoice,
  Taken,
} from './imported.ts'
export { nameProblem } from './name-problem.ts'
export { limits } from './refuse-too-much.ts'
export { safeFiles } from './safe-files.ts'
export type { SecretFinding } from './secret-finding.ts'
export { findSecrets, type Redacted, redactSecrets } from './secrets.ts'
export type { SourceFile } from './source-file.ts'
