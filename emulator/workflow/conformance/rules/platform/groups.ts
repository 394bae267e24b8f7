// Checks of docs/wire/platform.md: groups and their keys.
import { check, type RulesOfPage } from '../../model/check.ts'
import {
  between,
  containing,
  EMPTY,
  INSTANT,
  lacking,
  listOf,
  NUMBER,
  nullOr,
  OBJECT,
  TEXT,
} from '../../model/patterns.ts'
import { hold, refused, send, textAt } from '../../model/steps.ts'
import { manage } from '../requests.ts'

const NO_GROUP = 'grp_aaaaaaaaaaaaaaaaaaaa'
const LIST_GROUP = { id: TEXT, name: TEXT, tenant_count: NUMBER, created_at: INSTANT }

export const GROUP_RULES: RulesOfPage = {
  group: {
    checks: [
      check('the list of groups has the documented members', ['session'], ({ session }) => [
        send(manage('GET', '/platform/v1/groups', session), 200, listOf(LIST_GROUP)),
      ]),
      check('an unknown group is 404 not_found', ['session'], ({ session }) => [
        refused(manage('GET', `/platform/v1/groups/${NO_GROUP}`, session), 404, 'not_found'),
      ]),
      check('a request without a session is 401', [], () => [
        refused(manage('GET', '/platform/v1/groups'), 401, 'unauthorized'),
      ]),
      check('a group is created, listed and removed', ['lab', 'owner'], function* ({ lab, owner }) {
        const made = yield send(
          manage('POST', '/platform/v1/groups', owner.session, {
            name: `${lab.prefix} second`,
            description: 'for a check',
            template_project_id: `proj_${owner.template.slug}`,
          }),
          201,
          {
            id: TEXT,
            name: `${lab.prefix} second`,
            description: 'for a check',
            template_project_id: `proj_${owner.template.slug}`,
            tenant_count: 0,
            created_at: INSTANT,
          },
        )
        const id = textAt(made, 'id')
        yield send(manage('GET', '/platform/v1/groups', owner.session), 200, containing({ id }))
        yield send(manage('DELETE', `/platform/v1/groups/${id}`, owner.session), 204, EMPTY)
        yield send(manage('GET', '/platform/v1/groups', owner.session), 200, lacking({ id }))
      }),
      check('template_project_id may be a UUID', ['lab', 'owner'], function* ({ lab, owner }) {
        const made = yield send(
          manage('POST', '/platform/v1/groups', owner.session, {
            name: `${lab.prefix} third`,
            template_project_id: owner.template.id,
          }),
          201,
          { template_project_id: `proj_${owner.template.slug}` },
        )
        yield send(
          manage('DELETE', `/platform/v1/groups/${textAt(made, 'id')}`, owner.session),
          204,
        )
      }),
      check('a group with tenants is 409 group_has_tenants', ['lab', 'owner'], ({ lab, owner }) => [
        refused(
          manage('DELETE', `/platform/v1/groups/${lab.group.id}`, owner.session),
          409,
          'group_has_tenants',
        ),
      ]),
      check('a body without a name is 400 with details', ['owner'], ({ owner }) => [
        send(
          manage('POST', '/platform/v1/groups', owner.session, {
            template_project_id: owner.template.id,
          }),
          400,
          { error: { code: 'invalid_request' }, details: { name: TEXT } },
        ),
      ]),
      check('GET and PATCH serve one group', ['lab', 'owner', 'emulator'], ({ lab, owner }) => [
        send(manage('GET', `/platform/v1/groups/${lab.group.id}`, owner.session), 200, {
          id: lab.group.id,
          template: OBJECT,
        }),
        send(
          manage('PATCH', `/platform/v1/groups/${lab.group.id}`, owner.session, {
            description: 'changed',
          }),
          200,
          { id: lab.group.id, description: 'changed' },
        ),
      ]),
    ],
    unchecked: 'Groups of another owner need a second account.',
  },
  'group-keys': {
    checks: [
      check(
        'a key is shown once, listed and revoked at once',
        ['lab', 'owner', 'emulator'],
        function* (world) {
          const { group } = world.lab
          const { session } = world.owner
          const path = `/platform/v1/groups/${group.id}/keys`
          const made = yield send(manage('POST', path, session, { label: 'revoked' }), 201, {
            id: TEXT,
            key: /^sdb_gk_[\w-]{43}$/,
            prefix: /^sdb_gk_/,
            label: 'revoked',
            created_at: INSTANT,
          })
          const id = textAt(made, 'id')
          const key = textAt(made, 'key')
          const overview = manage('GET', `/groups/v1/${group.id}`, key)
          yield send(overview, 200)
          const listed = yield send(manage('GET', path, session), 200)
          yield hold('list contains the key', listed.text.includes(key), false)
          yield hold('list contains its id', listed.text.includes(id), true)
          yield send(manage('DELETE', `${path}/${id}`, session), 204)
          yield refused(overview, 401, 'unauthorized')
        },
      ),
    ],
  },
  'group-overview': {
    checks: [
      check('the overview has template and numbers of tenants', ['group'], ({ group }) => [
        send(manage('GET', `/groups/v1/${group.id}`, group.key), 200, {
          group: { id: group.id, slug: TEXT, name: TEXT },
          template: {
            slug: TEXT,
            congelado_em: nullOr(TEXT),
            tabelas: NUMBER,
            foreign_keys: NUMBER,
          },
          source: nullOr({ slug: TEXT }),
          tenants: {
            total: NUMBER,
            na_versao_atual: NUMBER,
            em_versao_anterior: NUMBER,
            teto: 100,
          },
        }),
      ]),
      check('another group is 403 forbidden', ['group'], ({ group }) => [
        refused(manage('GET', `/groups/v1/${NO_GROUP}`, group.key), 403, 'forbidden'),
      ]),
      check('a request without a key is 401', ['group'], ({ group }) => [
        refused(manage('GET', `/groups/v1/${group.id}`), 401, 'unauthorized'),
      ]),
      check('its template counts tables and foreign keys', ['lab', 'owner'], ({ lab, owner }) => [
        send(manage('GET', `/groups/v1/${lab.group.id}`, lab.group.key), 200, {
          template: { slug: owner.template.slug, foreign_keys: between(1, 20) },
          tenants: { total: between(2, 20) },
        }),
      ]),
    ],
  },
}
