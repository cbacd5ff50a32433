# An image with xgen, C++ and the playground; docs/index.md says how it is used.
FROM python:3.12-bookworm AS build
COPY . /source
RUN python -m pip wheel --no-deps --wheel-dir /wheels /source

FROM python:3.12-slim-bookworm
COPY --from=build /wheels /wheels
RUN python -m pip install --no-cache-dir "$(ls /wheels/xgen_checker-*.whl)[cpp,serve]"
RUN useradd --create-home xgen
USER xgen
WORKDIR /work
EXPOSE 8000
ENTRYPOINT ["xgen"]
CMD ["--help"]
