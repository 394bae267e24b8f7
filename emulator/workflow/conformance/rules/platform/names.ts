// Checks of docs/wire/platform.md: addresses, identifiers and slugs.
import { check, type RulesOfPage } from '../../model/check.ts'
import { TEXT, UUID } from '../../model/patterns.ts'
import { hold, refused, send } from '../../model/steps.ts'
import { bare, manage, rest } from '../requests.ts'

const RESERVED = [
  ...['management', 'public', 'storage', 'realtime', 'auth', 'auth_global', 'pgrst_helpers'],
  ...['extensions', 'graphql', 'vault', 'cron', 'information_schema', 'pg_catalog', 'pg_toast'],
  ...['postgres', 'admin', 'internal', 'system', 'platform'],
]
const MALFORMED = [
  '',
  'Clinic A',
  'a-b',
  'a b',
  'a.b',
  'çá',
  "x'; drop table t; --",
  'x'.repeat(45),
]
const GROUP_ID = /^grp_[a-z2-7]{20}$/
const TENANT_ID = /^ten_[a-z2-7]{20}$/

export const NAME_RULES: RulesOfPage = {
  addresses: {
    checks: [
      check('/rest/v1/<table> is /<table> on the data host', ['lab'], ({ lab }) => [
        send(rest(lab.home, 'GET', '/rest/v1/open_notes?limit=0', lab.home.anonKey), 200, []),
        send(rest(lab.home, 'GET', '/open_notes?limit=0', lab.home.anonKey), 200, []),
      ]),
      check('an unknown path of management is 404', [], () => [
        refused(manage('GET', '/platform/v1/no-such-route'), 404, 'not_found'),
      ]),
      check('the data host refuses paths of auth and storage', ['hosts'], () =>
        ['/auth/v1/signin', '/storage/v1/bucket'].map((path) =>
          send(bare('data', 'GET', path), 404, { error: 'endpoint_em_outro_host', message: TEXT }),
        ),
      ),
    ],
  },
  identifiers: {
    checks: [
      check('projects have a UUID, and schemas the name proj_<slug>', ['tenant'], ({ tenant }) => [
        hold('project_id', tenant.projectId, UUID),
        hold('project_schema', tenant.schemaName, /^proj_[a-z0-9_]{1,44}$/),
      ]),
      check('ids of groups and tenants have their prefix', ['lab', 'emulator'], ({ lab }) => [
        hold('id of the group', lab.group.id, GROUP_ID),
        hold('id of the tenant', lab.home.id, TENANT_ID),
        hold('schema of the tenant', lab.home.schemaName, `proj_${lab.home.slug}`),
      ]),
    ],
  },
  slug: {
    checks: [
      check('a malformed slug is 400 invalid_slug', ['lab'], ({ lab }) =>
        MALFORMED.map((slug) =>
          refused(
            manage('POST', `/groups/v1/${lab.group.id}/tenants`, lab.group.key, { slug }),
            400,
            'invalid_slug',
          ),
        ),
      ),
      check('a missing slug is 400 invalid_slug', ['lab'], ({ lab }) => [
        refused(
          manage('POST', `/groups/v1/${lab.group.id}/tenants`, lab.group.key, {}),
          400,
          'invalid_slug',
        ),
      ]),
      check('a slug that is no text is 400 invalid_slug', ['lab', 'emulator'], ({ lab }) =>
        [null, 7, true, {}, ['a']].map((slug) =>
          refused(
            manage('POST', `/groups/v1/${lab.group.id}/tenants`, lab.group.key, { slug }),
            400,
            'invalid_slug',
          ),
        ),
      ),
      check('a reserved slug is 400 slug_reservado', ['lab'], ({ lab }) =>
        RESERVED.map((slug) =>
          refused(
            manage('POST', `/groups/v1/${lab.group.id}/tenants`, lab.group.key, { slug }),
            400,
            'slug_reservado',
          ),
        ),
      ),
      check(
        'the slug of a tenant and of a template are taken',
        ['lab', 'owner'],
        ({ lab, owner }) =>
          [lab.home.slug, owner.template.slug].map((slug) =>
            refused(
              manage('POST', `/groups/v1/${lab.group.id}/tenants`, lab.group.key, { slug }),
              409,
              'slug_taken',
            ),
          ),
      ),
    ],
  },
}
