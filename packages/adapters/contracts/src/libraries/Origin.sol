// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice The origin of a token, in one word: creator 160 | timestamp 40 | parent 42 | licence 14.
type Origin is uint256;

using OriginFields for Origin global;

/// @dev The most licensed forks in a chain; bounds every walk up to its source.
uint256 constant DEPTH_LIMIT = 64;

uint256 constant CREATOR_BIT = 96;
uint256 constant TIMESTAMP_BIT = 56;
uint256 constant PARENT_BIT = 14;

/// @notice Packs an origin dated now. The time is cut to its 40 bits, so that no chain's clock reaches the creator.
function packOrigin(address creator, uint256 parent, uint256 licence) view returns (Origin) {
    return Origin.wrap(
        (uint256(uint160(creator)) << CREATOR_BIT) | (uint256(uint40(block.timestamp)) << TIMESTAMP_BIT)
            | (parent << PARENT_BIT) | licence
    );
}

/// @notice Reads an origin. A token exists exactly when its origin is not zero.
library OriginFields {
    /// @notice Returns the creator of the token.
    function creator(Origin origin) internal pure returns (address) {
        return address(uint160(Origin.unwrap(origin) >> CREATOR_BIT));
    }

    /// @notice Returns the time when the token was created, in seconds.
    function timestamp(Origin origin) internal pure returns (uint256) {
        return uint40(Origin.unwrap(origin) >> TIMESTAMP_BIT);
    }

    /// @notice Returns the parent of the token, 0 for a root.
    function parent(Origin origin) internal pure returns (uint256) {
        return (Origin.unwrap(origin) >> PARENT_BIT) & (2 ** 42 - 1);
    }

    /// @notice Reads 0 for a snapshot, else the royalty of a licensed fork in basis points plus 1.
    function licence(Origin origin) internal pure returns (uint256) {
        return Origin.unwrap(origin) & (2 ** 14 - 1);
    }
}
