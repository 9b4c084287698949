import { openSync } from 'node:fs'
import { connect } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import pg from 'pg'
import { HttpRequestError, RpcRequestError } from 'viem'
import { describe, expect, test } from 'vitest'
import { databaseOutage, errorWords, noteConnectionError } from './error-words.ts'
import { ObjectStoreError } from './s3-objects.ts'
import { postgresPool } from './sql/postgres-connection.ts'

const url = 'https://user:hunter2@node.example/v3/0123456789abcdef0123456789abcdef'

const thrownBy = (act: () => unknown): unknown => {
  try {
    act()
  } catch (error) {
    return error
  }
  return undefined
}

/** Returns an error as PostgreSQL sends it. */
function answer(code: string, message: string) {
  const error = new pg.DatabaseError(message, message.length, 'error')
  return Object.assign(error, { code, severity: 'FATAL' })
}

const rpcError = (message: string) =>
  new RpcRequestError({ body: {}, error: { code: -32_000, message }, url })

describe('the words of an error', () => {
  test('are those of the operating system, of SQLite and of PostgreSQL', async () => {
    expect(errorWords(thrownBy(() => openSync('/nowhere/at/all', 'r')))).toEqual({
      code: 'ENOENT',
      errno: -2,
      syscall: 'open',
      message: "ENOENT: no such file or directory, open '/nowhere/at/all'",
    })
    const refused = await new Promise((resolve) => connect(1, '127.0.0.1').on('error', resolve))
    expect(errorWords(refused)).toMatchObject({
      code: 'ECONNREFUSED',
      syscall: 'connect',
      message: 'connect ECONNREFUSED 127.0.0.1:1',
    })
    const file = new DatabaseSync(':memory:')
    expect(errorWords(thrownBy(() => file.exec('SELECT * FROM things')))).toEqual({
      code: 'ERR_SQLITE_ERROR',
      message: 'no such table: things',
    })
    expect(errorWords(answer('28P01', 'password authentication failed for user "ada"'))).toEqual({
      code: '28P01',
      severity: 'FATAL',
      message: 'password authentication failed for user "ada"',
    })
  })

  test('are those of several addresses that all refuse, and of a bucket', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED ::1:1'), { syscall: 'connect' })
    const all = Object.assign(new AggregateError([refused, refused], ''), { code: 'ECONNREFUSED' })
    expect(errorWords(all)).toEqual({
      code: 'ECONNREFUSED',
      message: 'connect ECONNREFUSED ::1:1',
    })
    const $metadata = { httpStatusCode: 403 }
    const slow = Object.assign(new Error(url), { name: 'ExpiredToken', $metadata })
    expect(errorWords(new ObjectStoreError(slow))).toEqual({
      message: 'The store answered 403 ExpiredToken.',
    })
  })

  test('are what a node said, without what could be a secret', () => {
    expect(errorWords(rpcError('replacement transaction underpriced'))).toEqual({
      code: -32_000,
      message: 'RPC Request failed. replacement transaction underpriced',
    })
    const wrong = new HttpRequestError({ url, status: 429, details: `${url} is over its limit` })
    expect(errorWords(wrong)).toEqual({
      status: 429,
      message: 'HTTP request failed. (a URL) is over its limit',
    })
    const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    expect(errorWords(rpcError(`${account} has no funds`)).message).toContain(account)
  })

  test('hide each key and each password that a node repeats', () => {
    const key = fc.stringMatching(/^[0-9a-f]{32}$/).filter((it) => /\d/.test(it))
    const signature = fc.stringMatching(/^0x[0-9a-f]{130}$/)
    fc.assert(
      fc.property(fc.oneof(key, signature), (secret) => {
        for (const said of [secret, `project id ${secret}`, `https://a.example/${secret}/x`])
          expect(errorWords(rpcError(said)).message).not.toContain(secret.slice(0, 25))
      }),
    )
  })

  test('have no message where its author may quote anything', () => {
    const errors = [
      new TypeError(`cannot read ${url}`),
      thrownBy(() => JSON.parse('hunter2')),
      thrownBy(() => new URL('hunter2')),
      answer('22P02', 'invalid input syntax for type integer: "hunter2"'),
      'hunter2',
      undefined,
    ]
    expect(JSON.stringify(errors.map(errorWords))).not.toContain('hunter2')
  })
})

describe('an outage of a database', () => {
  test.each([
    ['57P01', 'terminating connection due to administrator command'],
    ['53300', 'too many connections'],
    ['25006', 'cannot execute INSERT in a read-only transaction'],
    ['3D000', 'database "nothing" does not exist'],
    ['28P01', 'password authentication failed'],
  ])('is %s of PostgreSQL', (code, message) => {
    const cause = answer(code, message)
    expect([databaseOutage(cause), databaseOutage(new Error('x', { cause }))]).toEqual([code, code])
  })

  test('is a connection that is refused, and one that is lost', async () => {
    const db = postgresPool<{ thing: object }>('postgres://user:hunter2@127.0.0.1:1/none', {})
    const error = await db
      .selectNoFrom((it) => it.lit(1).as('one'))
      .execute()
      .catch((it) => it)
    expect(databaseOutage(error)).toBe('ECONNREFUSED')
    const lost = new Error('Connection terminated unexpectedly')
    expect(databaseOutage(lost)).toBeUndefined()
    noteConnectionError(lost)
    expect(databaseOutage(lost)).toBe('the connection was lost')
    expect(errorWords(lost).message).toBe('Connection terminated unexpectedly')
    await db.destroy()
  })

  test('is a full or a read-only file of SQLite', () => {
    const file = new DatabaseSync(':memory:')
    file.exec('CREATE TABLE thing (id); PRAGMA max_page_count = 3')
    const fill = () => file.exec('INSERT INTO thing VALUES (randomblob(1000000))')
    expect(databaseOutage(thrownBy(fill))).toBe('database or disk is full')
    file.exec('PRAGMA query_only = ON')
    expect(databaseOutage(thrownBy(() => file.exec('DELETE FROM thing')))).toMatch(/readonly/)
  })

  test('is no mistake in a statement, and no error of anything else', () => {
    const file = new DatabaseSync(':memory:')
    const errors = [
      thrownBy(() => file.exec('SELECT')),
      answer('42P01', 'relation "thing" does not exist'),
      answer('23505', 'duplicate key value violates unique constraint'),
      Object.assign(new Error('connect ECONNREFUSED'), {
        code: 'ECONNREFUSED',
        syscall: 'connect',
      }),
      undefined,
    ]
    expect(errors.map(databaseOutage)).toEqual(errors.map(() => undefined))
  })
})
