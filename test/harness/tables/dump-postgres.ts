import type pg from 'pg'

// PostgreSQL 18 also lists NOT NULL as constraints; the columns have it here.
const statements = `
  SELECT format('CREATE TABLE %I (%s);', relname, string_agg(
    format('%I %s%s%s', attname, format_type(atttypid, atttypmod),
      CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END,
      ' DEFAULT ' || pg_get_expr(adbin, adrelid)), ', ' ORDER BY attnum)) AS statement, 1 AS step
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    LEFT JOIN pg_attrdef ON adrelid = pg_class.oid AND adnum = attnum
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attnum > 0
  GROUP BY relname
  UNION ALL
  SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s;', relname, conname,
    pg_get_constraintdef(pg_constraint.oid)), 2
  FROM pg_constraint JOIN pg_class ON conrelid = pg_class.oid
  WHERE contype IN ('p', 'u') AND connamespace = 'public'::regnamespace
  UNION ALL
  SELECT indexdef || ';', 3 FROM pg_indexes
  WHERE schemaname = 'public' AND indexname NOT IN (SELECT conname FROM pg_constraint)
  ORDER BY step, statement`

const rowStatements = (table: string) => `
  SELECT format('INSERT INTO %I SELECT * FROM json_populate_recordset(NULL::%I, %L);',
    '${table}', '${table}', json_agg(it)) AS statement
  FROM "${table}" AS it HAVING count(*) > 0`

/** Returns the statements that make the tables of a database again, with their rows. */
export async function dumpPostgres(client: pg.Client): Promise<string> {
  const read = async (query: string) =>
    (await client.query<{ statement: string }>(query)).rows.map(({ statement }) => statement)
  const tables = await client.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY name`,
  )
  const lines = await read(statements)
  for (const { name } of tables.rows) lines.push(...(await read(rowStatements(name))))
  return `${lines.join('\n')}\n`
}
