import type { OperatorRecord } from '../../../src/api/operator-schemas.ts'
import type { ReadonlyStatic } from '../../../src/api/schema-parts.ts'

/** The tenants and the last failures of a server. */
export type Operator = ReadonlyStatic<typeof OperatorRecord>
