#!/usr/bin/env python3
"""check_schema.py SCHEMA: holds the JSON on standard input against a JSON schema.

Knows the keywords that the schemas of docs/schema use, and fails over any other. Stricter than a schema in
one way: a member that the schema does not name is an error too, so that none stays without a word.
"""

import json
import re
import sys

TYPES = {"object": dict, "array": list, "string": str, "integer": int}
SILENT = {"$schema", "title", "description"}


def errors(value, schema, where):
    """Yields a sentence for each thing that is wrong."""
    known = SILENT | {"type", "const", "enum", "minimum", "minLength", "pattern", "required", "properties",
                      "items", "if", "then"}
    for keyword in schema.keys() - known:
        yield f"{where}: the schema has {keyword}, which this program does not know"
    if "type" in schema and (not isinstance(value, TYPES[schema["type"]]) or isinstance(value, bool)):
        yield f"{where}: {value!r} is no {schema['type']}"
        return
    if "const" in schema and value != schema["const"]:
        yield f"{where}: {value!r} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is none of {schema['enum']}"
    if "minimum" in schema and value < schema["minimum"]:
        yield f"{where}: {value} is less than {schema['minimum']}"
    if "minLength" in schema and len(value) < schema["minLength"]:
        yield f"{where}: too short"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{where}: {value!r} is not like {schema['pattern']}"
    for name in schema.get("required", []):
        if name not in value:
            yield f"{where}: no {name}"
    for name, part in schema.get("properties", {}).items():
        if name in value:
            yield from errors(value[name], part, f"{where}/{name}")
    if schema.get("type") == "object":
        for name in value.keys() - schema["properties"].keys():
            yield f"{where}: {name} is not in the schema"
    if "items" in schema:
        for number, item in enumerate(value):
            yield from errors(item, schema["items"], f"{where}/{number}")
    if "if" in schema and not list(errors(value, schema["if"], where)):
        yield from errors(value, schema["then"], where)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    found = list(errors(json.load(sys.stdin), schema, ""))
    for sentence in found:
        print(sentence)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
