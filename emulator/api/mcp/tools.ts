// All tools, in the order in which an agent reads them.
import type { Tool } from './tool.ts'
import { clock } from './tools/clock.ts'
import { describeSchema } from './tools/describe-schema.ts'
import { explainRows } from './tools/explain-rows.ts'
import { faults } from './tools/faults.ts'
import { listTenants } from './tools/list-tenants.ts'
import { listUsers } from './tools/list-users.ts'
import { mailbox } from './tools/mailbox.ts'
import { migrations } from './tools/migrations.ts'
import { recentRequests, whyRefused } from './tools/requests.ts'
import { runSql } from './tools/run-sql.ts'
import { fixtures, snapshots } from './tools/states.ts'
import { suggestFix } from './tools/suggest-fix.ts'
import { explainToken, mintToken } from './tools/tokens.ts'
import { whoCanSee } from './tools/who-can-see.ts'

export const TOOLS: readonly Tool[] = [
  listTenants,
  listUsers,
  describeSchema,
  runSql,
  explainRows,
  suggestFix,
  whoCanSee,
  recentRequests,
  whyRefused,
  migrations,
  mailbox,
  mintToken,
  explainToken,
  clock,
  faults,
  snapshots,
  fixtures,
]
