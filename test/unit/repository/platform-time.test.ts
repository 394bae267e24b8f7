// The platform's SQL must not read SQL's time, because a database server has its own clock. Callers pass platform time as a
// parameter.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const SQL_TIME =
  /(?<![.\w]|SQL’s )(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\(\)(?!:)|pg_catalog\.\w*(?:now|timestamp)\(\)|\b(?:current_timestamp|current_date|current_time|localtimestamp|localtime)\b/

/** Files that may contain functions of SQL's time, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'cli/commands/init/run-init.ts': 'writes SQL of the tenant',
  'workflow/migrations/ledger/ledger.ts':
    'the same SQL runs on the hosted platform, and no decision reads it',
  'database/differ/local-names.ts': 'lists keywords',
  'database/tenant-schema/auth-tables.sql': 'defaults that no statement of the platform relies on',
  'database/postgres/changes/notification-queue.ts':
    'measures how long a session of the server is busy',
  'database/tenant-schema/cluster/embedded/10-roles.sql': 'measures durations',
  'database/tenant-schema/cluster/shared/34-history.sql':
    'the time of changes by programs that connect to a server themselves',
  'database/tenant-schema/cluster/server/36-history-time.sql':
    'the time of changes by programs that connect to a server themselves',
  'database/embedded/worker/boot/self-test.ts': 'tests that the embedded engine moves the time',
}

function linesWithSqlTime(file: string): readonly string[] {
  return readFileSync(`emulator/${file}`, 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|--|\/?\*)/.test(line) && SQL_TIME.test(line))
}

it('the platform’s SQL does not use SQL’s own time, apart from the listed exceptions', () => {
  const files = readdirSync('emulator', { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.(?:ts|sql)$/.test(name))
  const found = files.filter((file) => linesWithSqlTime(file).length > 0)
  expect(found.toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted())
})
