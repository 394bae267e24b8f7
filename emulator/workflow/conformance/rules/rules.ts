// The rules of docs/wire, by page and anchor. A test compares this table with the anchors of the pages.
import { check, type RulesOfPage } from '../model/check.ts'
import { send } from '../model/steps.ts'
import { ACCOUNT_RULES } from './auth/account.ts'
import { CODE_RULES } from './auth/codes-and-links.ts'
import { SESSION_RULES } from './auth/ended-sessions.ts'
import { SIGN_IN_RULES } from './auth/sign-in.ts'
import { SOCIAL_RULES } from './auth/social.ts'
import { CREDENTIAL_RULES } from './credentials.ts'
import { DATA_PLANE_RULES } from './data-plane.ts'
import { ERROR_RULES } from './errors.ts'
import { LIMIT_RULES } from './limits.ts'
import { GROUP_RULES } from './platform/groups.ts'
import { NAME_RULES } from './platform/names.ts'
import { PROJECT_RULES } from './platform/projects.ts'
import { REMOVAL_RULES } from './platform/removal.ts'
import { SQL_RULES } from './platform/sql.ts'
import { TEMPLATE_RULES } from './platform/templates.ts'
import { TENANT_RULES } from './platform/tenants.ts'
import { CHANGE_RULES } from './realtime/changes.ts'
import { CHANNEL_RULES } from './realtime/channels.ts'
import { MESSAGE_RULES } from './realtime/messages.ts'
import { SOCKET_RULES } from './realtime/sockets.ts'
import { bare } from './requests.ts'
import { BUCKET_RULES } from './storage/buckets.ts'
import { LINK_RULES } from './storage/links.ts'
import { PROTOCOL_RULES } from './storage/protocols.ts'
import { READING_RULES } from './storage/reading.ts'
import { UPLOAD_RULES } from './storage/uploads.ts'

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

/** The names are the file names of the pages in docs/wire, without `.md`. */
export const RULES: Readonly<Record<string, RulesOfPage>> = {
  README: TIMING,
  platform: {
    ...NAME_RULES,
    ...GROUP_RULES,
    ...TENANT_RULES,
    ...REMOVAL_RULES,
    ...TEMPLATE_RULES,
    ...PROJECT_RULES,
    ...SQL_RULES,
  },
  credentials: CREDENTIAL_RULES,
  'data-plane': DATA_PLANE_RULES,
  auth: {
    ...SIGN_IN_RULES,
    ...CODE_RULES,
    ...SOCIAL_RULES,
    ...ACCOUNT_RULES,
    ...SESSION_RULES,
  },
  storage: { ...BUCKET_RULES, ...UPLOAD_RULES, ...READING_RULES, ...LINK_RULES, ...PROTOCOL_RULES },
  realtime: { ...SOCKET_RULES, ...CHANNEL_RULES, ...MESSAGE_RULES, ...CHANGE_RULES },
  limits: LIMIT_RULES,
  errors: ERROR_RULES,
}
