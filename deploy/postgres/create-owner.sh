#!/bin/sh
# Run once by the image of Postgres, on an empty volume: the role that the service signs in as owns its database and can
# do nothing else. The superuser keeps no password, so it can sign in inside the container only.
set -e
psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\getenv admin POSTGRES_USER
\getenv password POSTGRES_PASSWORD
create role tributary login password :'password';
create database tributary owner tributary template template0 encoding 'UTF8';
alter role :"admin" password null;
SQL
