// The rules of docs/wire, by page and anchor. A test compares this table with the anchors of the pages.
import { check, type RulesOfPage } from '../model/check.ts'
import { send } from '../model/steps.ts'
import { ACCOUNT_RULES } from './auth-account.ts'
import { SESSION_RULES } from './auth-sessions.ts'
import { SIGN_IN_RULES } from './auth-sign-in.ts'
import { CREDENTIAL_RULES } from './credentials.ts'
import { DATA_PLANE_RULES } from './data-plane.ts'
import { ERROR_RULES } from './errors.ts'
import { LIMIT_RULES } from './limits.ts'
import { GROUP_RULES } from './platform-groups.ts'
import { TEMPLATE_RULES } from './platform-projects.ts'
import { TENANT_RULES } from './platform-tenants.ts'
import { CHANNEL_RULES } from './realtime-channels.ts'
import { MESSAGE_RULES } from './realtime-messages.ts'
import { bare } from './requests.ts'
import { BUCKET_RULES } from './storage-buckets.ts'
import { LINK_RULES } from './storage-links.ts'
import { OBJECT_RULES } from './storage-objects.ts'

const TIMING: RulesOfPage = {
  timing: {
    checks: [
      check('x-tenantry-timing returns the stages with durations', ['emulator'], () => [
        send(
          {
            ...bare('auth', 'GET', '/platform/v1/groups'),
            headers: { 'x-tenantry-timing': '1' },
          },
          401,
          undefined,
          { 'server-timing': /^receive;dur=[\d.]+, .*total;dur=[\d.]+$/ },
        ),
        send(bare('auth', 'GET', '/platform/v1/groups'), 401, undefined, {
          'server-timing': undefined,
        }),
      ]),
    ],
  },
}

/** The names are those of the pages without `.md`. */
export const RULES: Readonly<Record<string, RulesOfPage>> = {
  README: TIMING,
  platform: { ...GROUP_RULES, ...TENANT_RULES, ...TEMPLATE_RULES },
  credentials: CREDENTIAL_RULES,
  'data-plane': DATA_PLANE_RULES,
  auth: { ...SIGN_IN_RULES, ...ACCOUNT_RULES, ...SESSION_RULES },
  storage: { ...BUCKET_RULES, ...OBJECT_RULES, ...LINK_RULES },
  realtime: { ...CHANNEL_RULES, ...MESSAGE_RULES },
  limits: LIMIT_RULES,
  errors: ERROR_RULES,
}
