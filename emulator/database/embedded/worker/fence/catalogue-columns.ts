// The columns that identify the owner of a row, for each catalogue. The catalogue filter hides a row when one of these columns
// leads to another tenant. Catalogues are left out when they contain no tenant's rows or when no tenant may read them.
import { Catalogue, type CatalogueOid } from './object-parents.ts'

/** A column with an oid, and the catalogue of that oid: fixed, or named by another column. */
export type OwnedColumn = readonly [column: string, refersTo: CatalogueOid | string]

const { namespace, relation, role, routine, type } = Catalogue

export const CATALOGUE_COLUMNS: Readonly<Record<string, readonly OwnedColumn[]>> = {
  pg_aggregate: [['aggfnoid', routine]],
  pg_amop: [['amopfamily', Catalogue.operatorFamily]],
  pg_amproc: [['amprocfamily', Catalogue.operatorFamily]],
  pg_attrdef: [['adrelid', relation]],
  pg_attribute: [['attrelid', relation]],
  pg_auth_members: [
    ['roleid', role],
    ['member', role],
  ],
  pg_authid: [['oid', role]],
  pg_cast: [
    ['castsource', type],
    ['casttarget', type],
  ],
  // TOAST tables share one schema, so the filter needs their owner column.
  pg_class: [
    ['relnamespace', namespace],
    ['relowner', role],
  ],
  pg_collation: [['collnamespace', namespace]],
  pg_constraint: [['connamespace', namespace]],
  pg_conversion: [['connamespace', namespace]],
  pg_db_role_setting: [['setrole', role]],
  pg_default_acl: [
    ['defaclnamespace', namespace],
    ['defaclrole', role],
  ],
  pg_depend: [
    ['objid', 'classid'],
    ['refobjid', 'refclassid'],
  ],
  pg_description: [['objoid', 'classoid']],
  pg_enum: [['enumtypid', type]],
  pg_event_trigger: [['evtfoid', routine]],
  pg_foreign_table: [['ftrelid', relation]],
  pg_index: [['indrelid', relation]],
  pg_inherits: [['inhrelid', relation]],
  pg_init_privs: [['objoid', 'classoid']],
  pg_largeobject_metadata: [['lomowner', role]],
  pg_namespace: [['oid', namespace]],
  pg_opclass: [['opcnamespace', namespace]],
  pg_operator: [['oprnamespace', namespace]],
  pg_opfamily: [['opfnamespace', namespace]],
  pg_partitioned_table: [['partrelid', relation]],
  pg_policy: [['polrelid', relation]],
  pg_proc: [['pronamespace', namespace]],
  pg_publication_namespace: [['pnnspid', namespace]],
  pg_publication_rel: [['prrelid', relation]],
  pg_range: [['rngtypid', type]],
  pg_rewrite: [['ev_class', relation]],
  pg_seclabel: [['objoid', 'classoid']],
  pg_sequence: [['seqrelid', relation]],
  pg_shdepend: [
    ['objid', 'classid'],
    ['refobjid', 'refclassid'],
  ],
  pg_shdescription: [['objoid', 'classoid']],
  pg_shseclabel: [['objoid', 'classoid']],
  pg_statistic: [['starelid', relation]],
  pg_statistic_ext: [['stxnamespace', namespace]],
  pg_statistic_ext_data: [['stxoid', Catalogue.extendedStatistics]],
  pg_subscription_rel: [['srrelid', relation]],
  pg_transform: [['trftype', type]],
  pg_trigger: [['tgrelid', relation]],
  pg_ts_config: [['cfgnamespace', namespace]],
  pg_ts_config_map: [['mapcfg', Catalogue.searchConfiguration]],
  pg_ts_dict: [['dictnamespace', namespace]],
  pg_ts_parser: [['prsnamespace', namespace]],
  pg_ts_template: [['tmplnamespace', namespace]],
  pg_type: [['typnamespace', namespace]],
}
