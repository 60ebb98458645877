import { onlyMembers, recordAt } from './bodies.ts';
import { propertyOf } from './cells.ts';
import { invalid, invalidValue } from './errors.ts';
import { PROPERTY_TYPES, type PropertyRecord, type PropertyType, type SourceRecord } from './records.ts';
import type { Workspace } from './workspace.ts';

const DESCRIPTION_LENGTH = 280;

/** The properties of a new data source. It has exactly one title, which Notion adds if none is given. */
export function newPropertiesAt(workspace: Workspace, value: unknown, path: string): PropertyRecord[] {
  const properties = Object.entries(recordAt(value ?? {}, path)).map(([name, config]) =>
    newProperty(workspace, name, config, `${path}.${name}`),
  );
  const titles = properties.filter(({ type }) => type === 'title').length;
  if (titles > 1) throw invalid('A data source must have exactly one title property.');
  return titles === 1 ? properties : [workspace.property('Name', 'title'), ...properties];
}

/** Adds, renames and removes properties of a data source, all or none. */
export function changeProperties(workspace: Workspace, source: SourceRecord, value: unknown): void {
  let properties = [...source.properties];
  for (const [key, change] of Object.entries(recordAt(value, 'body.properties'))) {
    const path = `body.properties.${key}`;
    const known = propertyOf({ ...source, properties }, key);
    if (known === null) properties.push(newProperty(workspace, key, change, path));
    else if (change === null) {
      if (known.type === 'title') throw invalid('Cannot delete the title property.');
      properties = properties.filter((one) => one !== known);
    } else {
      const changed = changedProperty(known, recordAt(change, path), path);
      properties = properties.map((one) => (one === known ? changed : one));
    }
  }
  const names = properties.map(({ name }) => name);
  if (new Set(names).size < names.length)
    throw invalid('Two properties of a data source have the same name.');
  if (properties.filter(({ type }) => type === 'title').length !== 1)
    throw invalid('A data source must have exactly one title property.');
  source.properties = properties;
  workspace.edited(source);
}

function newProperty(workspace: Workspace, name: string, config: unknown, path: string): PropertyRecord {
  const given = recordAt(config, path);
  const type = typeOf(given, path);
  if (type === null) throw invalidValue(path, 'a property configuration', config);
  onlyMembers(given, ['type', 'name', 'description', type], path);
  const property = workspace.property(name, type, descriptionAt(given.description, path));
  return { ...property, ...configAt(type, recordAt(given[type], `${path}.${type}`), `${path}.${type}`) };
}

function changedProperty(
  known: PropertyRecord,
  change: Record<string, unknown>,
  path: string,
): PropertyRecord {
  const type = typeOf(change, path);
  onlyMembers(change, ['type', 'name', 'description', ...PROPERTY_TYPES], path);
  if (type !== null && type !== known.type) {
    throw invalid(`Changing ${known.name} from ${known.type} to ${type} is not simulated. (${path})`);
  }
  const { name = known.name, description = known.description } = change;
  if (typeof name !== 'string' || name === '') throw invalidValue(`${path}.name`, 'a non-empty string', name);
  return { ...known, name, description: descriptionAt(description, path) };
}

function typeOf(config: Record<string, unknown>, path: string): PropertyType | null {
  const types = PROPERTY_TYPES.filter((type) => Object.hasOwn(config, type));
  const [type = null, ...others] = types;
  if (others.length > 0) throw invalidValue(path, 'a property of one type', types);
  if (config.type !== undefined && config.type !== type)
    throw invalidValue(`${path}.type`, `"${type}"`, config.type);
  return type;
}

function configAt(
  type: PropertyType,
  config: Record<string, unknown>,
  path: string,
): Pick<PropertyRecord, 'format' | 'options'> {
  onlyMembers(config, type === 'number' ? ['format'] : type === 'select' ? ['options'] : [], path);
  const { format = 'number', options = [] } = config;
  if (typeof format !== 'string') throw invalidValue(`${path}.format`, 'a string', format);
  if (!Array.isArray(options)) throw invalidValue(`${path}.options`, 'an array', options);
  const names = options.map((option: unknown, at) => {
    const { name } = recordAt(option, `${path}.options[${at}]`);
    if (typeof name !== 'string') throw invalidValue(`${path}.options[${at}].name`, 'a string', name);
    return name;
  });
  return { format, options: names };
}

function descriptionAt(value: unknown, path: string): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || value.length > DESCRIPTION_LENGTH)
    throw invalidValue(`${path}.description`, `a string of ≤ \`${DESCRIPTION_LENGTH}\` characters`, value);
  return value;
}
